import { expect, it } from '@jest/globals'
import { decideColor, type ColorChoice } from '../../../src/cli/terminal/decide-color.ts'

it.each<{ choice: ColorChoice; isTerminal: boolean; env: Record<string, string>; expected: boolean }>([
  { choice: 'always', isTerminal: false, env: { NO_COLOR: '1', TERM: 'dumb' }, expected: true },
  { choice: 'never', isTerminal: true, env: { FORCE_COLOR: '1' }, expected: false },
  { choice: 'auto', isTerminal: true, env: { NO_COLOR: '1', FORCE_COLOR: '1' }, expected: false },
  { choice: 'auto', isTerminal: false, env: { FORCE_COLOR: '1' }, expected: true },
  { choice: 'auto', isTerminal: true, env: { FORCE_COLOR: '0' }, expected: false },
  { choice: 'auto', isTerminal: true, env: { NO_COLOR: '', TERM: 'xterm' }, expected: true },
  { choice: 'auto', isTerminal: true, env: { TERM: 'dumb' }, expected: false },
  { choice: 'auto', isTerminal: false, env: { TERM: 'xterm' }, expected: false },
])(
  'decides by the flag, NO_COLOR, FORCE_COLOR and the terminal, in this order: %o',
  ({ choice, isTerminal, env, expected }) => {
    expect(decideColor(choice, isTerminal, env)).toBe(expected)
  },
)
