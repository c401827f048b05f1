/** Preloaded (`node --import`) into the programs of the stack that start no further processes. */
import { endWithStdin } from '@hearth/emulators/lifeline';

endWithStdin();
