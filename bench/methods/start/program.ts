import type { Package } from './packages.ts'
import type { StartVariant } from './variant.ts'

/** The report of a program. */
export interface LoadReport {
  /** The load time in ms. */
  readonly took: number
  /** The file that was loaded. */
  readonly from: string
  /** The type of the expected export. */
  readonly type: string
}

/** Returns a program that loads a package as its users do, and nothing else before. */
export function programOf({ name, exported }: Package, by: StartVariant['by']): string {
  const specifier = JSON.stringify(name)
  const member = JSON.stringify(exported)
  const load = by === 'import' ? `await import(${specifier})` : `require(${specifier})`
  const from =
    by === 'import'
      ? `process.getBuiltinModule('url').fileURLToPath(import.meta.resolve(${specifier}))`
      : `require.resolve(${specifier})`
  return `
    const start = performance.now()
    const all = ${load}
    const took = performance.now() - start
    const type = typeof (all[${member}] ?? all.default?.[${member}])
    console.log(JSON.stringify({ took, from: ${from}, type }))
  `
}
