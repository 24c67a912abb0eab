/** What the keyboard and screen readers need of components of the default theme: texts in their sources, and their replacements. */
const changes: Readonly<Record<string, readonly (readonly [string, string])[]>> = {
  // The start page and the page of an address without a page have no other main landmark.
  'VPContent.vue': [
    ['id="VPContent"', `id="VPContent" :role="page.isNotFound || frontmatter.layout === 'home' ? 'main' : undefined"`],
  ],
  // The name of the button has to contain its text, so brand.css adds the key.
  'VPNavBarSearchButton.vue': [['Key">K<', 'Key search-key"><']],
  // A group is a button, which cannot contain another one, has a state, and also reacts to the space bar.
  'VPSidebarItem.vue': [
    [':role="itemRole"', ':role="itemRole" :aria-expanded="itemRole && item.items ? !collapsed : undefined"'],
    [
      'role="button"\n        aria-label="toggle section"',
      ':role="item.link && \'button\'"\n        :aria-label="item.link && \'Toggle section\'"',
    ],
    [
      'tabindex="0"\n      >\n        <span class="vpi-chevron-right',
      ':tabindex="item.link && 0"\n      >\n        <span class="vpi-chevron-right',
    ],
    [
      "  if ('key' in e && e.key !== 'Enter') {\n    return\n  }",
      "  if ('key' in e) {\n    if (e.key !== 'Enter' && e.key !== ' ') return\n    e.preventDefault()\n  }",
    ],
  ],
  // The search is a dialog, and the focus returns to where it was before the input got it.
  'VPLocalSearchBox.vue': [
    ['role="button"', 'role="dialog" aria-modal="true"'],
    [
      `:aria-owns="results?.length ? 'localsearch-list' : undefined"\n      aria-expanded="true"\n      aria-haspopup="listbox"\n`,
      '',
    ],
    ['<kbd :aria-label', '<kbd role="img" :aria-label'],
    [':aria-label="[...p.titles, p.title].join(\' > \')"', ''],
    // A result is a link, which cannot be in an option, so the link itself is the option.
    [
      `:id="'localsearch-item-' + index"\n            :aria-selected="selectedIndex === index ? 'true' : 'false'"\n            role="option"`,
      'role="presentation"',
    ],
    [
      ':href="p.id"',
      `:href="p.id" :id="'localsearch-item-' + index" role="option" :aria-selected="selectedIndex === index ? 'true' : 'false'"`,
    ],
    ['escapeDeactivates: true', 'escapeDeactivates: true,\n  setReturnFocus: document.activeElement'],
  ],
}

/** Changes components of the default theme when they are compiled. */
export const accessibleTheme = {
  name: 'accessible-theme',
  enforce: 'pre' as const,
  transform(code: string, id: string): string | undefined {
    const [, component = ''] = /\/(VP\w+\.vue)$/.exec(id) ?? []
    return changes[component]?.reduce((changed, [text, replacement]) => {
      if (!changed.includes(text)) throw new Error(`${component} of VitePress does not contain ${text}`)
      return changed.replaceAll(text, replacement)
    }, code)
  },
}
