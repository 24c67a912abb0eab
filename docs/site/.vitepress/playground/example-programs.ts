const files = import.meta.glob<string>('./examples/*.js', { query: '?raw', import: 'default', eager: true })

/** Returns the program of an example. */
export function exampleProgram(name: string): string {
  return files[`./examples/${name}.js`] ?? ''
}
