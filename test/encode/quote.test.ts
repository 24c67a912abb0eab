import { expect, test } from '@jest/globals'
import { importOf, runChild } from '../support/child.ts'

// V8 tells by `%StringIsFlat`, which is syntax only for who asks for it.
test('a fragment that is kept is in one piece, in optimized code too', async () => {
  const program =
    importOf('{ flat }', 'src/encode/quote.ts') +
    `let parts = 0
    const made = (i) => 'the beginning ' + i + ' and what follows it ' + i
    const tree = made(0)
    if (%StringIsFlat(tree)) throw new Error('a concatenation is in one piece: this test cannot fail')
    const kept = (i) => flat(made(i))
    for (let i = 0; i < 200_000; i++) if (!%StringIsFlat(kept(i))) parts++
    console.log(parts)`
  const { stdout, stderr } = await runChild({
    args: ['--allow-natives-syntax', '--input-type=module', '-e', program],
  })
  expect({ stdout, stderr }).toEqual({ stdout: '0\n', stderr: '' })
})
