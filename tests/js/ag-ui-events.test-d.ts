// Our event types against `@ag-ui/core` 1.0.0's: each one must fit the other, name by name.
import type * as Core from '@ag-ui/core';
import { expectTypeOf, test } from 'vitest';
import type { AttemptEvent } from '../../js/ag-ui/attempt.js';
import type * as Ours from '../../js/ag-ui/events.js';

// `@ag-ui/core` spells `type` as a TypeScript enum; on the wire and here it is the enum's string.
type Wire<E> = E extends { type: infer T extends string } ? Omit<E, 'type'> & { type: `${T}` } : E;
type CoreEvent = Wire<Core.AGUIEvent>;

test('every event of ours is an event of @ag-ui/core', () => {
  expectTypeOf<Ours.AGUIEvent>().toExtend<CoreEvent>();
});

test('every event of @ag-ui/core is an event of ours', () => {
  expectTypeOf<CoreEvent>().toExtend<Ours.AGUIEvent>();
  expectTypeOf<Core.AGUIEvent>().toExtend<Ours.AGUIEvent>();
});

test('the sets of event types are equal', () => {
  expectTypeOf<Ours.AGUIEventType>().toEqualTypeOf<`${Core.EventType}`>();
});

test('interrupts, resume entries, usage and messages fit both ways', () => {
  expectTypeOf<Ours.Interrupt>().toExtend<Core.Interrupt>();
  expectTypeOf<Core.Interrupt>().toExtend<Ours.Interrupt>();
  expectTypeOf<Ours.ResumeEntry>().toExtend<Core.ResumeEntry>();
  expectTypeOf<Core.ResumeEntry>().toExtend<Ours.ResumeEntry>();
  expectTypeOf<Ours.TokenUsage>().toEqualTypeOf<Core.TokenUsage>();
  expectTypeOf<Ours.Message>().toExtend<Core.Message>();
  expectTypeOf<Core.Message>().toExtend<Ours.Message>();
});

test("this package's own CUSTOM events are events of both", () => {
  expectTypeOf<AttemptEvent>().toExtend<Ours.AGUIEvent>();
  expectTypeOf<AttemptEvent>().toExtend<CoreEvent>();
});
