/**
 * The languages of a browser beside English, which is built in: their texts, each a file that loads
 * on demand, and what a page says in that language when the file did not load.
 */
export const browserLanguages = {
  ar: {
    screens: async () => import('./ar-screens.ts'),
    account: async () => import('./ar-account.ts'),
    notLoaded: {
      message: 'تعذّر تحميل النصوص العربية، لذلك تظهر هذه الصفحة بالإنجليزية.',
      reload: 'إعادة التحميل',
    },
  },
  de: {
    screens: async () => import('./de-screens.ts'),
    account: async () => import('./de-account.ts'),
    notLoaded: {
      message: 'Die deutschen Texte wurden nicht geladen: Diese Seite ist auf Englisch.',
      reload: 'Neu laden',
    },
  },
  fr: {
    screens: async () => import('./fr-screens.ts'),
    account: async () => import('./fr-account.ts'),
    notLoaded: {
      message: 'Les textes français n’ont pas pu être chargés : cette page est en anglais.',
      reload: 'Recharger la page',
    },
  },
} as const
