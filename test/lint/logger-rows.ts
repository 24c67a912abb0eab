import type { RuleCase } from './rule-tester.ts'

/** A program with a log call, and the program after the suggestion. */
export interface LogCallRow extends RuleCase {
  readonly fixedCode: string
}

/** Returns a program in which a method is a log method. */
function method(what: string, begin: string, callee: string, options?: object, settings?: object): LogCallRow {
  return {
    what,
    code: `${begin}\n${callee}(\`\${a}\`)`,
    fixedCode: `${begin}\n${callee}('{a}', { a })`,
    ...(options === undefined ? {} : { options }),
    ...(settings === undefined ? {} : { settings }),
  }
}

/** Returns a program in which an expression is a logger. */
function logger(what: string, begin: string, code: string, options?: object, settings?: object): LogCallRow {
  return method(what, begin, `${code}.info`, options, settings)
}

/** Returns a program in which an expression is not a logger. */
function other(what: string, begin: string, code: string, options?: object): RuleCase {
  return { what, code: `${begin}\n${code}.info(\`\${a}\`)`, ...(options === undefined ? {} : { options }) }
}

/** Programs with a call that is not a log call. */
export const otherCalls: readonly RuleCase[] = [
  other('a call of an unknown variable', '', 'x'),
  other('a call of another import of sluice', "import { withContext as x } from 'sluice'", 'x'),
  other('a call of an exporter', "import { fdExporter } from 'sluice/exporters'; const log = [fdExporter()]", 'log'),
  other('a call of pino', "import pino from 'pino'; const log = pino()", 'log'),
  other('a call of a child of pino', "import { pino } from 'pino'; const log = pino().child({})", 'log'),
  other('a call of a logger of winston', "import * as winston from 'winston'", 'winston.logger'),
  other('a call of an imported logger of LogTape', "import { log } from '@logtape/logtape'", 'log'),
  other('a call of a required logger of bunyan', "const { log } = require('bunyan')", 'log'),
  other('a call of the console', 'const log = console', 'log'),
  other('a call of a member of the console', '', 'console.log'),
  other('a call of a function', 'const log = () => {}', 'log'),
  other('a call of an object literal', 'const logger = { info() {} }', 'logger'),
  other('a call of a name that the option replaces', '', 'log', { names: ['audit'] }),
  other('a call of a computed member', '', "request['log']"),
  other(
    'a call of createLogger of another module',
    "import { createLogger } from './own.js'; const x = createLogger()",
    'x',
  ),
  other('a call of a variable that refers to itself', 'const x = x', 'x'),
  { what: 'a call that is not of a member', code: 'info(`${a}`)' },
  { what: 'a call of a member of super', code: 'class A extends B { m() { super.info(`${a}`) } }' },
  { what: 'a private method with another name', code: 'class A { #x; m() { this.#x.info(`${a}`) } }' },
  other('a method of the console in a variable', 'const { info } = console; const x = { info }', 'x'),
  other('a destructured member of winston', "import * as winston from 'winston'; const { logger } = winston", 'logger'),
  other('a logger of sluice/pino', "import pino from 'sluice/pino'; const log = pino()", 'log'),
  other(
    'a logger of sluice/winston',
    "import { createLogger } from 'sluice/winston'; const log = createLogger()",
    'log',
  ),
  other('another member of a namespace', "import * as s from 'sluice'; const x = s.other()", 'x'),
  other('a destructured member with another name', 'const { other: x } = request', 'x'),
  { what: 'a function that is named info', code: 'function info() {}; info(`${a}`)' },
  { what: 'a destructured method of the console', code: 'const { info } = console; info(`${a}`)' },
  { what: 'a destructured method of pino', code: "import pino from 'pino'; const { info } = pino(); info(`${a}`)" },
  { what: 'a destructured method that is not a log method', code: 'const { child: info } = log; info(`${a}`)' },
  { what: 'a variable that is assigned another function', code: 'let info = log.info; info = f; info(`${a}`)' },
  { what: 'a variable with a method that is not a log method', code: 'const info = log.child; info(`${a}`)' },
  { what: 'an imported function', code: "import { info } from './log.js'; info(`${a}`)" },
]

/** Programs with a log call. */
export const logCalls: readonly LogCallRow[] = [
  logger('a logger of createLogger', "import { createLogger } from 'sluice'; const x = createLogger()", 'x'),
  logger('a logger of a renamed import', "import { createLogger as c } from 'sluice'; const x = c()", 'x'),
  logger('a logger of sluice/core', "import { createLogger } from 'sluice/core'; const x = createLogger()", 'x'),
  logger('a logger of a namespace', "import * as s from 'sluice'; const x = s.createLogger()", 'x'),
  logger('a logger of require', "const { createLogger: c } = require('sluice'); const x = c()", 'x'),
  logger('a logger of a required namespace', "const s = require('sluice'); const x = s.createLogger()", 'x'),
  logger('the default logger', "import { logger as x } from 'sluice'", 'x'),
  logger('a child', "import { logger as x } from 'sluice'; const y = x.child({ b: 1 })", 'y'),
  logger('a child of a child', "import { logger as x } from 'sluice'", 'x.child({}).child({})'),
  logger('another name of a logger', "import { logger as x } from 'sluice'; const y = x", 'y'),
  logger('one of two loggers', "import { logger as x } from 'sluice'; const y = options.own ?? x", 'y'),
  logger('a parameter that is named log', 'const f = (log) => log; let log', 'log'),
  logger('an imported logger', "import { log } from './log.js'", 'log'),
  logger('a destructured logger', 'const { log } = request', 'log'),
  logger('a logger of an own function', 'const logger = getLogger()', 'logger'),
  logger('an awaited logger', 'const logger = await getLogger()', 'logger'),
  logger('the logger of a request', '', 'request.log'),
  logger('the logger of a context', '', 'c.var.logger'),
  logger('an optional logger', '', 'options?.log'),
  logger('a child of a logger of a request', '', 'req.log.child({})'),
  logger('a logger that the option names', '', 'audit', { names: ['audit'] }),
  logger('a logger that the setting names', '', 'app.audit', undefined, { names: ['audit'] }),
  logger('the default logger of a namespace', "import * as s from 'sluice'", 's.logger', { names: ['audit'] }),
  logger('the default logger of a required namespace', "const s = require('sluice')", 's.logger', { names: ['audit'] }),
  logger('a renamed destructured logger', 'const { log: x } = request', 'x'),
  logger('a renamed destructured logger with a default', 'const { log: x = other } = request', 'x'),

  logger('a logger that is assigned later', "import { logger } from 'sluice'; let x = logger; x = x.child({})", 'x'),
  logger('a member of this', '', 'this.logger'),
  logger('the logger of a context of Koa', '', 'ctx.logger'),
  logger('a logger in parentheses', "import { logger as x } from 'sluice'", '(x)'),
  method('an optional call of a log method', '', 'log.info?.'),
  method('an optional member of an optional logger', '', 'request?.log?.info'),
  method('a destructured method', 'const { info } = log;', 'info'),
  method('a renamed destructured method', 'const { info: x } = request.log;', 'x'),
  method('a method of createLogger', "import { createLogger } from 'sluice'; const { info } = createLogger();", 'info'),
  method('a method in a variable', 'const x = log.info;', 'x'),
  method('a bound method in a variable', 'const x = log.info.bind(log);', 'x'),
  method('an optional method in a variable', 'const x = log?.info;', 'x'),
]
