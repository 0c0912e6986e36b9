// The page's script: the package's modules as a server gives them out, without a bundler.
import * as subcontract from '../node_modules/subcontract/pkg/entrypoints/browser.js';
import { program } from '../program.mjs';

document.body.dataset.result = JSON.stringify(await program(subcontract));
