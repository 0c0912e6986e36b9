import * as subcontract from 'subcontract';
import { expect, test } from 'vitest';
import { call } from '../../js/boundary.js';

test('probe', () => {
  const again = { $ref: '#/$defs/n' };
  for (const [name, step] of Object.entries({
    allOf: { allOf: [{ allOf: [{ allOf: [{ properties: { n: again } }] }] }] },
    not: { not: { not: { properties: { n: again } } } },
    oneOf: { oneOf: [{type:'integer'}, { type:'object', properties: { n: again } }] },
    props: { properties: { n: again } } ,
  })) {
    const c = subcontract.compileContract({ $ref: '#/$defs/n', $defs: { n: step } });
    for (let d = 20; d <= 512; d += 20) {
      try {
        const v = c.check('{"n":'.repeat(d) + '1' + '}'.repeat(d));
        if (d > 490) console.log(name, d, v.ok ? 'ok' : v.code);
      } catch (e) { console.log(name, d, String((e as any).cause)); break; }
    }
  }
});
