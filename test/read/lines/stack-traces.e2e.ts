import { afterAll, describe, expect } from '@jest/globals'
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { temporaryDirectory } from '../../support/files/pipes.ts'
import { needs } from '../../support/needs.ts'
import { readBytes } from './read-bytes.ts'

const directory = temporaryDirectory()
afterAll(() => directory.remove())

/** Programs that end with an error, by the name of their file. */
const programs: Readonly<Record<'node' | 'python3' | 'java', Readonly<Record<string, string>>>> = {
  node: {
    'module.mjs': "throw new TypeError('no route\\nto host')",
    'rejection.cjs': 'Promise.reject({ a: 1 })',
    'aggregate.cjs':
      "function f() {\n  throw Object.assign(new AggregateError([new Error('one')], 'all', { cause: new Error('c') }), { code: 'E' })\n}\nf()",
    'syntax.cjs': 'const a = ;',
    'text.cjs': "throw 'a string'",
    'missing.cjs': "require('./missing')",
    'assertion.cjs': "require('assert').deepStrictEqual({ a: 1, b: [1, 2] }, { a: 2, b: [1, 3] })",
    'inspected.cjs': "console.error(Object.assign(new RangeError('x'), { code: 'E', cause: new Error('y') }))",
  },
  python3: {
    'chain.py': [
      'try:',
      "    raise ValueError('one\\ntwo')",
      'except ValueError as error:',
      "    raise RuntimeError('x') from error",
    ].join('\n'),
    'group.py': "raise ExceptionGroup('many', [ValueError(1), TypeError('t')])",
    'syntax.py': 'x = (1 +',
  },
  java: {
    'Outer.java': [
      'public class Outer {',
      '  static class Gone extends RuntimeException { Gone(Throwable cause) { super("gone", cause); } }',
      '  public static void main(String[] args) {',
      '    try { Integer.parseInt("x"); } catch (Exception e) { throw new RuntimeException("outer", new Gone(e)); }',
      '  }',
      '}',
    ].join('\n'),
  },
}

const record = '{"level":50,"time":1795254963123,"msg":"failed"}\n'

describe('an error that ends a program', () => {
  for (const [command, files] of Object.entries(programs)) {
    const program = command === 'node' ? process.execPath : command
    const testProgram = needs(command, spawnSync(program, ['--version']).status === 0)
    testProgram.each(Object.keys(files))(
      `is in one record with its whole stack trace, as ${command} writes it for %s`,
      (file) => {
        writeFileSync(directory.path(file), files[file]!)
        const { stderr } = spawnSync(program, [directory.path(file)], { cwd: directory.path(''), encoding: 'utf8' })
        expect(stderr).toContain('\n')
        const items = readBytes(`${record}${stderr}${record}`)
        expect(items.map(({ raw }) => raw.toString()).join('')).toBe(record + stderr + record)
        const written = items.filter(({ raw }) => raw.toString() !== '\n')
        const stack = stderr.replace(/^\n/, '').replace(/\n$/, '')
        const ends = uncaught[command as keyof typeof uncaught](file)
        const records = ends ? ['failed', expect.any(String), 'failed'] : ['failed', 'failed']
        expect(written.map((item) => item.record?.message)).toEqual(records)
        const error = written.at(-2)!.record!
        expect(error.attributes.get('exception.stacktrace')).toBe(stack)
        expect(error.severityNumber).toBeGreaterThanOrEqual(17)
        if (ends) expect(stack).toContain(error.attributes.get('exception.message'))
      },
    )
  }
})

/** Whether what a program writes shows that the error is not that of the record before it. A traceback of Python can be its error. */
const uncaught = {
  node: (file: string) => file !== 'inspected.cjs',
  python3: () => false,
  java: () => true,
}
