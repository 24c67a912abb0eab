import { child } from './child.ts'
import { disabled } from './disabled.ts'
import { object } from './object.ts'
import { objectTurns } from './object-turns.ts'
import { redact } from './redact.ts'
import type { Scenario } from './scenario.ts'
import { string } from './string.ts'

export const scenarios = {
  string,
  object,
  'object-turns': objectTurns,
  child,
  redact,
  disabled,
} as const satisfies Readonly<Record<string, Scenario>>

export type ScenarioName = keyof typeof scenarios

export const scenarioNames = Object.keys(scenarios) as readonly ScenarioName[]
