// The oldest releases that the peer ranges of frontend frameworks allow.

/**
 * The packages of each example that `npm run examples` also runs with old releases. A package that
 * is not a dependency of the example is one of its framework, which must be as old.
 *
 * @type {Readonly<Record<string, Readonly<Record<string, string>>>>}
 */
export const OLDEST = {
  'react-admin': {
    'react-admin': '5.0.1',
    'ra-core': '5.0.1',
    'ra-data-json-server': '5.0.1',
    'ra-i18n-polyglot': '5.0.1',
    'ra-language-english': '5.0.1',
    'ra-ui-materialui': '5.0.1',
    react: '18.2.0',
    'react-dom': '18.2.0',
    'react-router': '6.22.0',
    'react-router-dom': '6.22.0',
    '@types/react': '18.3.3',
    '@types/react-dom': '18.3.0',
  },
  refine: {
    '@refinedev/core': '5.0.0',
    '@refinedev/react-router': '2.0.0',
    react: '18.2.0',
    'react-dom': '18.2.0',
    'react-router': '7.0.2',
    '@types/react': '18.3.3',
    '@types/react-dom': '18.3.0',
  },
  vue: {
    vue: '3.3.0',
    'vue-router': '4.2.0',
  },
}
