import * as fc from 'fast-check'

/** A regular expression and a text that may be slow to match. */
export interface Attack {
  readonly source: string
  readonly flags: string
  readonly text: string
}

const characters = fc.constantFrom('a', 'b', 'A', '1', ' ', '-', '@', '_')
const atoms = fc.oneof(
  { weight: 4, arbitrary: characters },
  fc.constantFrom(
    '.',
    '\\d',
    '\\w',
    '\\s',
    '\\W',
    '[^a]',
    '[ab]',
    '[a-z]',
    '[\\w-]',
    '[^\\s@]',
    'ab',
    '\\x61',
    '\\u0062',
    '\u00e9',
    '\\p{L}',
    '\\p{Lu}',
    '\\P{L}',
    '[\\p{Nd}a]',
    '\\u{1f600}',
    '\u{1f600}',
    '[\u{1f600}-\u{1f64f}]',
    '\\ud83d',
    '[\\q{ab|a|b}]',
    '[\\q{aab|1}-]',
    '[\\w--[ab]]',
  ),
)
const assertions = fc.constantFrom('^', '$', '\\b', '\\B', '')
const quantifiers = fc
  .tuple(
    fc.constantFrom(
      '*',
      '+',
      '?',
      '{2}',
      '{1,3}',
      '{0,4}',
      '{2,}',
      '{1,9}',
      '{0}',
      '{3,20}',
      '{0,30}',
      '{1,64}',
      '{0,256}',
    ),
    fc.constantFrom('', '', '?'),
  )
  .map(([quantifier, lazy]) => quantifier + lazy)

const { expression } = fc.letrec<{ expression: string }>((tie) => ({
  expression: fc.oneof(
    { maxDepth: 4, depthSize: 'medium' },
    { weight: 3, arbitrary: atoms },
    { weight: 3, arbitrary: fc.tuple(atoms, quantifiers).map(([atom, quantifier]) => `(?:${atom})${quantifier}`) },
    assertions,
    { weight: 4, arbitrary: fc.array(tie('expression'), { minLength: 2, maxLength: 4 }).map((all) => all.join('')) },
    {
      weight: 2,
      arbitrary: fc.tuple(tie('expression'), tie('expression')).map(([one, other]) => `(?:${one}|${other})`),
    },
    {
      weight: 3,
      arbitrary: fc.tuple(tie('expression'), quantifiers).map(([one, quantifier]) => `(?:${one})${quantifier}`),
    },
    fc.tuple(tie('expression'), quantifiers).map(([one, quantifier]) => `(${one})${quantifier}\\1`),
    fc.tuple(fc.constantFrom('=', '!', '<=', '<!'), tie('expression')).map(([kind, one]) => `(?${kind}${one})`),
  ),
}))

const units = fc.constantFrom(
  'a',
  'b',
  'A',
  '1',
  ' ',
  '-',
  '@',
  '_',
  'ab',
  'aab',
  '\u00e9',
  '\n',
  'a1',
  '1 ',
  '\u{1f600}',
  '\u{1f600}a',
  '\u{1d400}',
  '\ud83d',
)
const texts = fc
  .tuple(
    fc.array(units, { minLength: 1, maxLength: 4 }),
    fc.array(units, { maxLength: 3 }),
    fc.array(units, { maxLength: 2 }),
  )
  .map(([piece, other, end]) => (piece.join('').repeat(12) + other.join('')).repeat(4).slice(0, 90) + end.join(''))

/** Generates expressions of all kinds, most of them with repetitions, and texts that repeat what they match. */
export const attacks: fc.Arbitrary<Attack> = fc
  .record({ source: expression, flags: fc.constantFrom('', '', 'i', 'u', 's', 'm', 'iu', 'v'), text: texts })
  .filter(({ source, flags }) => {
    try {
      return new RegExp(source, flags).flags === flags
    } catch {
      return false // an assertion with a quantifier, or a reference to a group that does not exist
    }
  })
