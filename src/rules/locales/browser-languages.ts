/**
 * The languages of a browser beside English, which is built in: their texts, each a file that loads
 * on demand, and what a page says in that language when the file did not load.
 */
export const browserLanguages = {
  ar: {
    first: async () => (await import('./ar.ts')).first,
    account: async () => (await import('./ar-account.json', { with: { type: 'json' } })).default,
    notLoaded: {
      message: 'تعذّر تحميل النصوص العربية، لذلك تظهر هذه الصفحة بالإنجليزية.',
      reload: 'إعادة التحميل',
    },
  },
  de: {
    first: async () => (await import('./de.ts')).first,
    account: async () => (await import('./de-account.json', { with: { type: 'json' } })).default,
    notLoaded: {
      message: 'Die deutschen Texte wurden nicht geladen: Diese Seite ist auf Englisch.',
      reload: 'Neu laden',
    },
  },
  fr: {
    first: async () => (await import('./fr.ts')).first,
    account: async () => (await import('./fr-account.json', { with: { type: 'json' } })).default,
    notLoaded: {
      message: 'Les textes français n’ont pas pu être chargés : cette page est en anglais.',
      reload: 'Recharger la page',
    },
  },
} as const
