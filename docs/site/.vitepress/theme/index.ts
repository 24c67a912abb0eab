import type { Theme } from 'vitepress'
import DefaultTheme from 'vitepress/theme'
import { h } from 'vue'
import './code.css'
import CopyMarkdown from './components/CopyMarkdown.vue'
import { showTypes } from './type-tooltips.ts'

export default {
  extends: DefaultTheme,
  Layout: () => h(DefaultTheme.Layout, null, { 'doc-before': () => h(CopyMarkdown) }),
  enhanceApp: () => {
    if (typeof document === 'object') showTypes()
  },
} satisfies Theme
