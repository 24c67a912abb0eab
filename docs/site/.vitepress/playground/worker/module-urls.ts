import type { LinkedModule } from './link-program.ts'
import type { PlaygroundModules } from './playground-modules.ts'

/** Returns the address of a module with this code. */
export function moduleUrl(code: string): string {
  return URL.createObjectURL(new Blob([code], { type: 'text/javascript' }))
}

/** Creates a module for each set of exports, so that the imports of a program work as they do elsewhere. */
export function linkedModules(modules: PlaygroundModules): Map<string, LinkedModule> {
  const key = Symbol.for('sluice/playground')
  Object.defineProperty(globalThis, key, { value: modules, configurable: true })
  return new Map(
    [...modules].map(([specifier, exports]) => {
      const exportNames = Object.keys(exports)
      const code = `const exports = globalThis[Symbol.for('sluice/playground')].get('${specifier}')
export const { ${exportNames.join(', ')} } = exports`
      return [specifier, { url: moduleUrl(code), exportNames }]
    }),
  )
}
