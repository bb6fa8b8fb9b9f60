/** Texts for a language whose own texts did not load, by the tag of the language. */
export const notLoaded = {
  ar: {
    message: 'تعذّر تحميل النصوص العربية، لذلك تظهر هذه الصفحة بالإنجليزية.',
    reload: 'إعادة التحميل',
  },
  fr: {
    message: 'Les textes français n’ont pas pu être chargés : cette page est en anglais.',
    reload: 'Recharger la page',
  },
} as const
