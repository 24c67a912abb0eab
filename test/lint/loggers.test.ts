import { logCalls, otherCalls } from './logger-rows.ts'
import { testRule } from './rule-tester.ts'

testRule(
  'no-template-literal',
  otherCalls,
  logCalls.map((row) => Object.assign(row, { errors: [{ messageId: 'values', suggestion: row.fixedCode }] })),
  '',
)
