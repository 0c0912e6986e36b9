// A child that mends its return, and its child in turn, as spans in memory: `npx tsx examples/opentelemetry/main.ts`.
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base';
import { defineAgent, delegate } from 'subcontract';
import { spansOf } from './spans.js';

const exporter = new InMemorySpanExporter();
const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
const onEvent = spansOf(provider.getTracer('subcontract'));

const price = { type: 'object', properties: { price: { type: 'number' } }, required: ['price'] } as const;

const reader = defineAgent({ name: 'page_reader', description: 'Reads a page.', run: () => 'A seat costs ten.' });

const pricing = defineAgent({
  name: 'pricing',
  description: 'Finds a price.',
  outputSchema: price,
  async run(ctx) {
    // Its own child is told whose it is, and so has its span under this one's.
    const { subagentRunId, threadId } = ctx;
    await delegate(reader, undefined, { onEvent, threadId, parentSubagentRunId: subagentRunId }).orThrow();
    return ctx.attempt === 1 ? '{"price":"ten"}' : '{"price":10}';
  },
});

await delegate(pricing, undefined, { onEvent }).orThrow();

const spans = exporter.getFinishedSpans();
const nameOf = (id: string | undefined) => spans.find((span) => span.spanContext().spanId === id)?.name ?? 'nothing';
for (const span of spans) console.log(line(span));
await provider.shutdown();

function line({ name, parentSpanContext, attributes, events }: ReadableSpan): string {
  const told = events.map(
    ({ attributes: of = {} }) => `${of['subcontract.attempt']} ${of['subcontract.attempt.outcome']}`,
  );
  const attempts = told.length > 0 ? `; attempts: ${told.join(', ')}` : '';
  return `${name} under ${nameOf(parentSpanContext?.spanId)}: ${attributes['subcontract.outcome']}${attempts}`;
}
