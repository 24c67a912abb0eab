import { testRule } from './rule-tester.ts'

const reported = (method: string, suggestion?: string) => [
  { messageId: 'console', data: { method }, ...(suggestion === undefined ? {} : { suggestion }) },
]

testRule(
  'no-console',
  [
    { what: 'a logger', code: "log.info('x')" },
    { what: 'an allowed method', code: 'console.table(x)', options: { allow: ['table'] } },
    { what: 'a variable that is named console', code: "{ const console = log; console.info('x') }" },
    { what: 'another object', code: "other.console.log('x')" },
    { what: 'a computed method', code: "console[method]('x')" },
  ],
  [
    { what: 'console.log', code: "console.log('x')", errors: reported('log', "log.info('x')") },
    { what: 'console.error', code: "console.error('x', e)", errors: reported('error', "log.error('x', e)") },
    { what: 'console.debug', code: "console?.debug('x')", errors: reported('debug', "log.debug('x')") },
    { what: 'a method that has no level', code: 'console.table(x)', errors: reported('table') },
    {
      what: 'console.warn in a function',
      code: "function f(logger) { { console.warn('x') } }",
      options: { names: ['logger'] },
      errors: reported('warn', "function f(logger) { { logger.warn('x') } }"),
    },
    {
      what: 'console.log without a logger in scope',
      code: "console.log('x')",
      options: { names: ['audit'] },
      errors: reported('log'),
    },
  ],
)
