import type { Theme } from 'vitepress'
import DefaultTheme from 'vitepress/theme-without-fonts'
import { h } from 'vue'
import './brand.css'
import './code.css'
import './start-page.css'
import CopyMarkdown from './components/CopyMarkdown.vue'
import MeasuredNumbers from './components/MeasuredNumbers.vue'
import TableFilter from './components/TableFilter.vue'
import { showTypes } from './type-tooltips.ts'

export default {
  extends: DefaultTheme,
  Layout: () => h(DefaultTheme.Layout, null, { 'doc-before': () => h(CopyMarkdown) }),
  enhanceApp: ({ app }) => {
    app.component('MeasuredNumbers', MeasuredNumbers)
    app.component('TableFilter', TableFilter)
    if (typeof document === 'object') showTypes()
  },
} satisfies Theme
