// The deep cases in a Worker.
import * as subcontract from 'subcontract';
import { deep } from '../deep.mjs';

export default { fetch: () => Response.json(deep(subcontract)) };
