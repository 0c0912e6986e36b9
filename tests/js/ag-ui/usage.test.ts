// Usage as the protocol counts it, from the forms in which hosts report it.
import { readUsage, sumUsage } from 'subcontract/ag-ui';
import { expect, it } from 'vitest';

it('has the sum as its total, also where a provider counts differently', () => {
  expect(readUsage([{ model: 'm', inputTokens: 5, outputTokens: 2, totalTokens: 9 }])).toEqual([
    { model: 'm', inputTokens: 5, outputTokens: 2, totalTokens: 7 },
  ]);
  expect(readUsage({ promptTokens: 5, completionTokens: 2, totalTokens: 7 }, 'm')).toEqual([
    { model: 'm', inputTokens: 5, outputTokens: 2, totalTokens: 7 },
  ]);
  // A count that nobody reported stays absent.
  expect(readUsage([{ totalTokens: 9 }, { inputTokens: 5 }])).toEqual([{ totalTokens: 9 }, { inputTokens: 5 }]);
});

it('is whole numbers that a client takes, whatever is reported', () => {
  const most = Number.MAX_SAFE_INTEGER;
  const [usage] = readUsage([
    { inputTokens: 1.2, outputTokens: 1e308, totalTokens: Number.NaN, reasoningTokens: most },
  ]);
  expect(usage).toEqual({ inputTokens: 2, reasoningTokens: most });
  expect(sumUsage([{ inputTokens: most }, { inputTokens: most }])).toEqual([{ inputTokens: most }]);
  expect(readUsage([{ inputTokens: most, outputTokens: 1, totalTokens: 1 }])[0]?.totalTokens).toBe(most);
});

it('is no usage where nothing is counted', () => {
  for (const given of [null, undefined, 7, 'x', {}, [null], [{ inputTokens: -1, outputTokens: '5' }]]) {
    expect(readUsage(given)).toEqual([]);
  }
});

it('adds up per provider and model', () => {
  expect(
    sumUsage([
      { model: 'a', inputTokens: 1 },
      { model: 'b', inputTokens: 2 },
      { model: 'a', inputTokens: 3 },
    ]),
  ).toEqual([
    { model: 'a', inputTokens: 4 },
    { model: 'b', inputTokens: 2 },
  ]);
});
