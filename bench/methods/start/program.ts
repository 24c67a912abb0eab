import type { Package } from './packages.ts'
import type { StartVariant } from './variant.ts'

/** What a program tells of itself. */
export interface Started {
  /** In ms. */
  readonly took: number
  /** The file that was loaded. */
  readonly from: string
  /** The type of what the package was to export. */
  readonly type: string
}

/** The text of a program that loads a package as its users do, and nothing else before that. */
export function programOf({ name, exported }: Package, by: StartVariant['by']): string {
  const it = JSON.stringify(name)
  const member = JSON.stringify(exported)
  const load = by === 'import' ? `await import(${it})` : `require(${it})`
  const from =
    by === 'import'
      ? `process.getBuiltinModule('url').fileURLToPath(import.meta.resolve(${it}))`
      : `require.resolve(${it})`
  return `
    const start = performance.now()
    const all = ${load}
    const took = performance.now() - start
    const type = typeof (all[${member}] ?? all.default?.[${member}])
    console.log(JSON.stringify({ took, from: ${from}, type }))
  `
}
