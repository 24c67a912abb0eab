import { expect, test } from '@jest/globals'
import { styledTextOf } from '../../../docs/site/.vitepress/playground/ansi-text.ts'
import { sgr } from '../../../src/encode/pretty/colors.ts'

test('text with control sequences becomes parts with classes', () => {
  const text = `plain ${sgr.dim}dim\u001b[0m ${sgr.redBold}<b>\u001b[0m`
  expect(styledTextOf(text)).toEqual([
    { text: 'plain ', classes: '' },
    { text: 'dim', classes: 'ansi-dim' },
    { text: ' ', classes: '' },
    { text: '<b>', classes: 'ansi-bold ansi-red' },
  ])
})

test.each(Object.entries(sgr))('the color %s has a class for each of its codes', (_, color) => {
  const [part] = styledTextOf(`${color}text`)
  expect(part!.classes.split(' ')).toHaveLength(color.split(';').length)
})
