import { allOf } from './sidebar.ts'

/** The decisions, with the addresses of their pages. */
export const data = [] as unknown as ReturnType<typeof allOf>

export default {
  watch: ['../../decisions/*.md'],
  load: () => allOf('docs/decisions/*.md'),
}
