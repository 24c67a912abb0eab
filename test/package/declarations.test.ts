import { expect, test } from '@jest/globals'
import { publicNamesOf, withoutInternalComments } from '../../scripts/declarations.ts'
import { withExplicitUndefined } from '../../scripts/optional-members.ts'

const declarations = `import { type A } from './a.js';
/** Public. */
export interface Shown {
    /** A member. */
    readonly a: A;
}
/** Internal. */
export declare class Hidden {
    /** A member. */
    b(): string;
}
/** Public, and declared without export. */
declare const value: Shown;
export { value as default, type Other } from './other.js';
`

test('a declaration with a public name keeps its comments, and an internal one loses them', () => {
  expect(withoutInternalComments(declarations, new Set(['Shown', 'value']))).toBe(`import { type A } from './a.js';
/** Public. */
export interface Shown {
    /** A member. */
    readonly a: A;
}
export declare class Hidden {
    b(): string;
}
/** Public, and declared without export. */
declare const value: Shown;
export { value as default, type Other } from './other.js';
`)
})

test('the public names are those that entries export or import, and those under which other files declare them', () => {
  const files = new Map([
    [
      'entry.d.ts',
      `export { shown as default } from './a.js';\nexport interface Own {}\nexport * from './deep/b.js';\n`,
    ],
    ['a.d.ts', `declare function inner(): void;\nexport { inner as shown };\nexport { hidden as other };\n`],
    ['deep/b.d.ts', `import type * as whole from '../c.js';\nexport interface All {}\n`],
    ['c.d.ts', `export interface InNamespace {}\n`],
    ['d.d.ts', `export interface Hidden {}\n`],
  ])
  expect([...publicNamesOf(['entry.d.ts'], files)]).toEqual(['shown', 'Own', 'All', 'whole', 'InNamespace', 'inner'])
})

test.each([
  ['readonly a?: string', 'readonly a?: string | undefined'],
  ['a?: () => void', 'a?: (() => void) | undefined'],
  ['a?: new () => object', 'a?: (new () => object) | undefined'],
  ['a?: B extends C ? 1 : 2', 'a?: (B extends C ? 1 : 2) | undefined'],
  ['a?: { readonly b?: string; c: number }', 'a?: { readonly b?: string | undefined; c: number } | undefined'],
  ['a: (b: { c?: () => void }) => { d?: 1 }', 'a: (b: { c?: (() => void) | undefined }) => { d?: 1 | undefined }'],
])('the optional property `%s` becomes `%s`', (member, explicit) => {
  expect(withExplicitUndefined(`export interface A {\n    ${member};\n}\n`)).toBe(
    `export interface A {\n    ${explicit};\n}\n`,
  )
})

test('an optional property of a class and of a mapped type may be undefined', () => {
  expect(withExplicitUndefined('declare class A { private b?: string }\ntype C = { [K in "d"]?: () => void };\n')).toBe(
    'declare class A { private b?: string | undefined }\ntype C = { [K in "d"]?: (() => void) | undefined };\n',
  )
})

test.each([
  'a: string',
  'a?(b?: string): void',
  'a?: string | undefined',
  'a?: unknown',
  'readonly a: (b?: string) => void',
])('the member `%s` is not changed', (member) => {
  const text = `export interface A {\n    ${member};\n}\n`
  expect(withExplicitUndefined(text)).toBe(text)
})
