import { expect, it } from '@jest/globals'
import { pagerCommand } from '../../../src/cli/terminal/pager-command.ts'

const less = { LESS: 'FRX' }

it.each([
  { name: 'less -R without a setting', env: {}, expected: { program: 'less', args: ['-R'], variables: less } },
  { name: 'PAGER', env: { PAGER: ' most  -s ' }, expected: { program: 'most', args: ['-s'], variables: less } },
  {
    name: 'SLUICE_PAGER before PAGER',
    env: { SLUICE_PAGER: 'ov', PAGER: 'most' },
    expected: { program: 'ov', args: [], variables: less },
  },
  {
    name: 'a shell for a value with characters that a shell interprets',
    env: { PAGER: 'sed s/a/b/ | less' },
    expected: { program: '/bin/sh', args: ['-c', 'sed s/a/b/ | less'], variables: less },
  },
  {
    name: 'a shell for an assignment',
    env: { PAGER: 'LESS=R less' },
    expected: { program: '/bin/sh', args: ['-c', 'LESS=R less'], variables: less },
  },
  { name: 'LESS as it is set', env: { LESS: '' }, expected: { program: 'less', args: ['-R'], variables: {} } },
  { name: 'no pager for cat', env: { PAGER: 'cat' }, expected: undefined },
  { name: 'no pager for a blank value', env: { SLUICE_PAGER: ' ', PAGER: 'less' }, expected: undefined },
  { name: 'no pager on a terminal that cannot move the cursor', env: { TERM: 'dumb' }, expected: undefined },
])('uses $name', ({ env, expected }) => {
  expect(pagerCommand({ TERM: 'xterm', ...env })).toEqual(expected)
})
