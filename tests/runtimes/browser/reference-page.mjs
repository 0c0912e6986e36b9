// As page.mjs with the reference engine.
import * as subcontract from '../node_modules/subcontract/pkg/entrypoints/reference/browser.js';
import { program } from '../program.mjs';

document.body.dataset.result = JSON.stringify(await program(subcontract, 20));
