/// <reference types="vitepress/client" />

declare module 'virtual:playground-worker' {
  /** The code of the worker. */
  const code: string
  export default code
}
