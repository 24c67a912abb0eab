import { testRule } from './rule-tester.ts'

/** Returns a program in which an expression is a logger. */
const logger = (what: string, begin: string, code: string, options?: object, settings?: object) => ({
  what,
  code: `${begin}\n${code}.info(\`\${a}\`)`,
  ...(options === undefined ? {} : { options }),
  ...(settings === undefined ? {} : { settings }),
  errors: [{ messageId: 'values', suggestion: `${begin}\n${code}.info('{a}', { a })` }],
})
/** Returns a program in which an expression is not a logger. */
const other = (what: string, begin: string, code: string, options?: object) => ({
  what,
  code: `${begin}\n${code}.info(\`\${a}\`)`,
  ...(options === undefined ? {} : { options }),
})

testRule(
  'no-template-literal',
  [
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
  ],
  [
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
  ],
  '',
)
