/** Paths of the line drawings of the header, for `Icon`. */
export const ICONS = {
  check: 'M5 12.5l4.5 4.5L19 7.5',
  language:
    'M12 3.5a8.5 8.5 0 1 0 0 17a8.5 8.5 0 1 0 0-17M3.5 12h17M12 3.5c-4.5 5-4.5 12 0 17c4.5-5 4.5-12 0-17',
  leave: 'M14 4H5v16h9M10 12h10.5M17 8.5l3.5 3.5-3.5 3.5',
  shield: 'M12 3l7 2.75v5.5c0 4.5-3 7.75-7 9.5-4-1.75-7-5-7-9.5v-5.5z',
  theme: 'M12 3.5a8.5 8.5 0 1 0 0 17a8.5 8.5 0 1 0 0-17v17',
} as const
