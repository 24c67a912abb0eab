import { expect, test } from '@jest/globals'
import { publicNamesOf, withoutInternalComments } from '../../scripts/declarations.ts'

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
