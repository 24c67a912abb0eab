import * as fc from 'fast-check'
import { formatQuery } from '../../../src/read/query/format-query.ts'
import { queries } from './queries.ts'

/** Parts of queries, valid and invalid. */
const tokens = [
  'a a.b level time trace_id format and or not in exists contains like matches warn 500 -3d 10:30 null true 1e999'.split(
    ' ',
  ),
  '( ) , [ ] [0] . ? = != > >= < <= ~ !~ =~ ! && || & | ` \\ \0 😀 \ud800 \u2028'.split(' '),
  String.raw`'x' "y" ' " /a+/i / /(/ '(a+)+$' '\q' '\u0041'`.split(' '),
].flat()
/** Texts of queries, valid and invalid. */
export const queryTexts: fc.Arbitrary<string> = fc.oneof(
  queries.map(formatQuery),
  // A part of a valid query.
  fc.tuple(queries, fc.nat(60)).map(([query, length]) => formatQuery(query).slice(0, length)),
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.string({ unit: 'grapheme-ascii', maxLength: 60 }),
  fc
    .array(fc.tuple(fc.constantFrom(...tokens), fc.constantFrom('', ' ', '  ', '\n')), { maxLength: 30 })
    .map((parts) => parts.flat().join('')),
)
