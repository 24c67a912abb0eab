declare module 'bole' {
  import type { Bole } from '../../../src/entries/bole.ts'

  const bole: Omit<Bole, 'flush'>
  export default bole
}
