/** Documents of purchases, trials, credits and usage as Firestore gives them. @param AT a Timestamp */
export const creditSamples = (AT: unknown) => ({
  storageUsage: { document: { bytes: 10 } },
  credits: { document: { balance: 5, updatedAt: AT } },
  creditEntries: { document: { amount: -1, balance: 5, kind: 'spent', reason: 'picture', at: AT } },
  usageReports: {
    document: { customerId: 'u', meter: 'calls', value: 1, at: AT, batchId: null, deleteAt: AT },
  },
  usageBatches: {
    document: {
      customerId: 'u',
      meter: 'calls',
      value: 3,
      at: AT,
      status: 'waiting',
      sendAt: AT,
      triedAt: null,
      deleteAt: AT,
    },
  },
  trials: {
    document: { customerId: 'u', reservedAt: AT, usedAt: AT, addressId: 'address:a' },
    optional: ['usedAt', 'addressId'],
  },
  purchases: {
    document: {
      status: 'paid',
      item: 'pack',
      lookupKey: 'pack_once',
      credits: 100,
      priceId: 'price_1',
      quantity: 1,
      stripeReturnUrls: { success: 'https://a.example', cancel: 'https://a.example' },
      sessionId: 'cs_1',
      paymentIntentId: 'pi_1',
      amount: 900,
      currency: 'usd',
      createdAt: AT,
      paidAt: AT,
      refundedAt: null,
      checkAt: null,
    },
  },
});
