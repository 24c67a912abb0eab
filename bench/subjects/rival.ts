/** Loads a package of the benchmark alone. By a name the compiler does not see, because types are checked without them. */
export async function importRival<T>(name: string): Promise<T> {
  return (await import(name)) as T
}
