/// <reference types="vitepress/client" />

declare module 'virtual:playground-worker' {
  /** The code of the worker. */
  const code: string
  export default code
}

declare module '*.vue' {
  import type { DefineComponent } from 'vue'
  const component: DefineComponent<any, any, any>
  export default component
}
