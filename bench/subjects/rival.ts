/** Imports a package that only the benchmark has. The name is not a literal, because types are checked without rivals. */
export async function importRival<T>(name: string): Promise<T> {
  return (await import(name)) as T
}
