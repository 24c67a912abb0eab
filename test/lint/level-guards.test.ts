import { testRule } from './rule-tester.ts'

const isOn = "log.isLevelEnabled('debug')"
const isMoreVerboseOn = "log.isLevelEnabled('trace')"
const isLessVerboseOn = "log.isLevelEnabled('info')"

/** Returns a program in which the only log call is at the place of DEBUG. */
const row = (what: string, code: string) => ({ what, code: code.replace('DEBUG', 'log.debug(f())') })
const unguarded = (what: string, code: string) => ({
  ...row(what, code),
  errors: [{ messageId: 'work', suggestion: code.replace('DEBUG', 'log.debug(() => [f()])') }],
})

testRule(
  'no-eager-work',
  [
    row('work after an early return', `function g() { if (!${isOn}) return; DEBUG }`),
    row('work after an early return in a block', `function g() { if (!${isOn}) { h(); return } h(); DEBUG }`),
    row('work after an early return of two tests', `function g() { if (a || !${isOn}) return; DEBUG }`),
    row('work in a block after an early return', `function g() { if (!${isOn}) return; for (const a of b) { DEBUG } }`),
    row('work in a function after an early return', `function g() { if (!${isOn}) return; b.map((a) => { DEBUG }) }`),
    row('work after continue', `for (const a of b) { if (!${isOn}) continue; DEBUG }`),
    row('work after break', `for (const a of b) { if (!${isOn}) break; DEBUG }`),
    row('work after throw', `if (!${isOn}) throw a; DEBUG`),
    row('work in a case after break', `switch (a) { case 1: if (!${isOn}) break; DEBUG }`),
    row('work after a test whose other branch returns', `function g() { if (${isOn}) h(); else return; DEBUG }`),
    row('work in the other branch of a negated test', `if (!${isOn}) {} else { DEBUG }`),
    row('work in the other branch of a negated conditional expression', `!${isOn} ? 0 : DEBUG`),
    row('work after || and a negated test', `!${isOn} || DEBUG`),
    row('work after a test with &&', `if (a && ${isOn}) DEBUG`),
    row('work after a double negation', `if (!!${isOn}) DEBUG`),
    row('work after a negated test with ||', `if (!(a || !${isOn})) DEBUG`),
    row('work after one of two tests', `if (${isOn} || ${isMoreVerboseOn}) DEBUG`),
    row('work after an optional test', `if (log?.isLevelEnabled?.('debug')) DEBUG`),
    row('work after a test in a variable', `const isOn = ${isOn}; if (isOn) DEBUG`),
    row('work after a negated test in a variable', `function g() { const isOff = !${isOn}; if (isOff) return; DEBUG }`),
    row('work in a loop', `while (${isOn}) { DEBUG }`),
    row('work in a for loop', `for (; ${isOn}; ) DEBUG`),
    row('work after a test of a more verbose level', `if (${isMoreVerboseOn}) DEBUG`),
    row('work after a test of an unknown level', `if (log.isLevelEnabled(level)) DEBUG`),
    row('work after a test of another logger', `if (parent.isLevelEnabled('debug')) DEBUG`),
    row('work in a function in a test', `if (${isOn}) b.map((a) => DEBUG)`),
  ],
  [
    unguarded('work after a negated test', `if (!${isOn}) DEBUG`),
    unguarded('work in the other branch', `if (${isOn}) {} else { DEBUG }`),
    unguarded('work in the other branch of a conditional expression', `${isOn} ? 0 : DEBUG`),
    unguarded('work after || and a test', `${isOn} || DEBUG`),
    unguarded('work after ?? and a test', `${isOn} ?? DEBUG`),
    unguarded('work after && and a negated test', `!${isOn} && DEBUG`),
    unguarded('work after a test with ||', `if (a || ${isOn}) DEBUG`),
    unguarded('work after a negated test with &&', `if (!(a && ${isOn})) DEBUG`),
    unguarded('work after a test with ??', `if (a ?? ${isOn}) DEBUG`),
    unguarded('work after an early return if the level is enabled', `function g() { if (${isOn}) return; DEBUG }`),
    unguarded('work after an early return of &&', `function g() { if (a && !${isOn}) return; DEBUG }`),
    unguarded('work before an early return', `function g() { DEBUG; if (!${isOn}) return }`),
    unguarded('work after a test that does not return', `function g() { if (!${isOn}) h(); DEBUG }`),
    unguarded('work after an early return in another block', `function g() { { if (!${isOn}) return } DEBUG }`),
    unguarded('work after a test of a less verbose level', `if (${isLessVerboseOn}) DEBUG`),
    unguarded('work after a test of an added level', `if (log.isLevelEnabled('notice')) DEBUG`),
    unguarded('work after a test in a variable that is assigned', `let isOn = ${isOn}; isOn = true; if (isOn) DEBUG`),
    unguarded('work after a test in a variable that refers to itself', `const isOn = isOn; if (isOn) DEBUG`),
    unguarded('work after a test of another method', `if (log.has('debug')) DEBUG`),
    unguarded('work after a test with the level as an argument of another call', `if (h(${isOn})) DEBUG`),
    unguarded('work in the initial value of a for loop', `for (DEBUG; ${isOn}; ) h()`),
    unguarded('work in the test', `if (DEBUG && ${isOn}) h()`),
  ],
)
