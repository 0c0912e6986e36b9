// The page's script, as Vite takes it: a production build loads the core as a file, a development build carries it inside.
import * as subcontract from 'subcontract';
import { program } from '../program.mjs';

document.body.dataset.result = JSON.stringify(await program(subcontract));
