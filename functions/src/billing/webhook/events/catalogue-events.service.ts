import type Stripe from 'stripe';
import type { Backend } from '../../../backend.ts';
import { syncPrice, syncProduct } from '../../catalogue/catalogue.service.ts';
import type { EventAbout } from './event-about.ts';

export async function syncProductOfEvent(backend: Backend, event: EventAbout<{ id: string }>): Promise<void> {
  await syncProduct(backend, event.data.object.id, event);
}

export async function syncPriceOfEvent(
  backend: Backend,
  event: EventAbout<Pick<Stripe.Price, 'id' | 'product'>>,
): Promise<void> {
  await syncPrice(backend, event.data.object, event);
}
