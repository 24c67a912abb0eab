import * as fc from 'fast-check'

/** Generates the leaves, arrays and objects of them, objects that occur twice, and objects that contain themselves. */
export function nestedValues(leaf: fc.Arbitrary<unknown>, key: fc.Arbitrary<string>): fc.Arbitrary<unknown> {
  return fc.letrec<{ value: unknown }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 7, depthSize: 'large' },
      leaf,
      fc.array(tie('value'), { maxLength: 5 }),
      fc.dictionary(key, tie('value'), { maxKeys: 5, noNullPrototype: true }),
      tie('value').map((inner) => ({ one: inner, two: inner })),
      tie('value').map((inner) => {
        const cyclic: Record<string, unknown> = { inner }
        cyclic['self'] = cyclic
        cyclic['below'] = [{ again: cyclic }]
        return cyclic
      }),
    ),
  })).value
}
