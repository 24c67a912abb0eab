import type { Theme } from 'vitepress'
import DefaultTheme from 'vitepress/theme'
import './code.css'
import { showTypes } from './type-tooltips.ts'

export default {
  extends: DefaultTheme,
  enhanceApp: () => {
    if (typeof document === 'object') showTypes()
  },
} satisfies Theme
