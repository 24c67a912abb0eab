import { logCalls, otherCalls } from './logger-rows.ts'
import { testRule } from './rule-tester.ts'

testRule(
  'no-template-literal',
  otherCalls,
  logCalls.map(({ fixedCode, ...row }) => ({ ...row, errors: [{ messageId: 'values', suggestion: fixedCode }] })),
  '',
)
