import { describe, expect, test } from '@jest/globals'
import { Linter } from 'eslint'
import { configs } from '../../src/entries/lint.ts'
import { captureLogs } from '../../src/entries/testing.ts'
import { fixedCalls, fixedCallVariables } from './fixed-calls.ts'

const beginning = `import { createLogger } from 'sluice'\nconst log = createLogger()\n${fixedCallVariables}`

/** Returns a log call after the suggestion or, if there is one, the fix of no-template-literal. */
function changed(code: string): { readonly code: string; readonly isFixed: boolean } {
  const linter = new Linter()
  const message = linter
    .verify(beginning + code, [configs.recommended])
    .find(({ ruleId }) => ruleId === 'sluice/no-template-literal')
  const fix = message?.fix ?? message?.suggestions?.[0]?.fix
  if (fix === undefined) return { code, isFixed: false }
  const text = beginning + code
  const newText = text.slice(0, fix.range[0]) + fix.text + text.slice(fix.range[1])
  return { code: newText.slice(beginning.length), isFixed: message?.fix !== undefined }
}

/** Runs a log call. Returns the message, the attributes and the error, and which members it read and functions it called, in order. */
function run(code: string) {
  const evaluated: string[] = []
  const recorded = (name: string, value: object) =>
    new Proxy(value, {
      get(target, key, receiver) {
        evaluated.push(`${name}.${String(key)}`)
        return Reflect.get(target, key, receiver) as unknown
      },
    })
  const count = () => evaluated.push('count()')
  const { logger, records } = captureLogs()
  // oxlint-disable-next-line typescript/no-implied-eval, no-new-func
  new Function('log', 'recorded', 'count', `${fixedCallVariables}\n${code}`)(logger, recorded, count)
  const messages = records.map(({ message }) => message)
  return { messages, attributes: records[0]?.attributes ?? {}, error: records[0]?.error?.message, evaluated }
}

describe.each(fixedCalls)('$what', ({ code, isChanged, isFixed = false, readsOnce = false }) => {
  const after = changed(code)

  test('a message is changed only if its values have names', () => {
    expect(after.code !== code).toBe(isChanged)
    expect(after.code.includes('${')).toBe(!isChanged && code.includes('${'))
    expect(after.isFixed).toBe(isFixed)
  })

  test('a change keeps the text, the attributes and the error, and what is evaluated in which order', () => {
    const before = run(code)
    const { messages, attributes, error, evaluated } = run(after.code)
    expect(before.messages).toHaveLength(1)
    expect(messages).toEqual(before.messages)
    expect(attributes).toMatchObject(before.attributes)
    expect(error).toBe(before.error)
    expect(evaluated).toEqual(readsOnce ? [...new Set(before.evaluated)] : before.evaluated)
  })
})
