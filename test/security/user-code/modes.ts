/** The behavior of a callback. The values are stored in the corpus. */
export type Mode =
  | 'works'
  | 'throws'
  | 'rejects'
  | 'rejects later'
  | 'returns a thenable that rejects'
  | 'returns a thenable that throws'
  | 'never answers'
  | 'logs'

type Behavior = (usual: () => unknown, state: { readonly log?: ((message: string) => void) | undefined }) => unknown

/** The implementation of each mode. `usual` returns the regular result. */
export const modes: Readonly<Record<Mode, Behavior>> = {
  works: (usual) => usual(),
  throws() {
    throw new Error('user')
  },
  rejects: async () => {
    throw new Error('user')
  },
  'rejects later': () => new Promise((_, reject) => setTimeout(() => reject(new Error('user')), 5)),
  // oxlint-disable-next-line unicorn/no-thenable -- what is tested
  'returns a thenable that rejects': () => ({
    then: (_: unknown, reject?: (error: Error) => void) => reject?.(new Error('user')),
  }),
  'returns a thenable that throws': () => ({
    // oxlint-disable-next-line unicorn/no-thenable -- what is tested
    then() {
      throw new Error('user')
    },
  }),
  'never answers': () => new Promise(() => {}),
  logs(usual, { log }) {
    log?.('from-hook')
    return usual()
  },
}
