import { child } from './child.ts'
import { childOfChild } from './child-of-child.ts'
import { deep } from './deep.ts'
import { disabled } from './disabled.ts'
import { error } from './error.ts'
import { longString } from './long-string.ts'
import { object } from './object.ts'
import { objectTurns } from './object-turns.ts'
import { printf } from './printf.ts'
import { redact } from './redact.ts'
import { redactKeys } from './redact-keys.ts'
import type { Scenario } from './scenario.ts'
import { span } from './span.ts'
import { string } from './string.ts'

/** In the order in which they are asked. */
export const scenarios = {
  string,
  object,
  'object-turns': objectTurns,
  child,
  'child-of-child': childOfChild,
  deep,
  'long-string': longString,
  error,
  printf,
  redact,
  'redact-keys': redactKeys,
  span,
  disabled,
} as const satisfies Readonly<Record<string, Scenario>>

export type ScenarioName = keyof typeof scenarios

export const scenarioNames = Object.keys(scenarios) as readonly ScenarioName[]

export const scenarioOf = (name: ScenarioName): Scenario => scenarios[name]
