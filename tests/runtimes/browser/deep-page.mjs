// The deep cases in a page.

import { deep } from '../deep.mjs';
import * as subcontract from '../node_modules/subcontract/pkg/entrypoints/browser.js';

document.body.dataset.result = JSON.stringify(deep(subcontract));
