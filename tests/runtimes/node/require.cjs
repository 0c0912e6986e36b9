// The package from CommonJS: no entry that Node resolves may have a top-level await.
const subcontract = require('subcontract');

import('../program.mjs')
  .then(({ program }) => program(subcontract))
  .then((result) => console.log(JSON.stringify(result)));
