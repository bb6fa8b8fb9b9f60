import type { Plugin } from 'vite'

/** Vite's helper preloads what a file needs. Here that is nothing: there is one style sheet. */
const PRELOAD =
  /__vitePreload\((?:\(\) => |async \(\) => \{\s*const \{[^}]*\} = await )(import\([^)]*\))[^]*?, __VITE_PRELOAD__, import\.meta\.url\)/g
const DYNAMIC_IMPORT = /\bimport\((["'`])(\.\/[^"'`]+\.js)\1\)/g

/** Runs in the page. Must be self-contained: its source becomes part of the chunk. */
const HELPER = `
const svcFailures = new Map();
const svcImport = (path) => {
  const failures = svcFailures.get(path) ?? 0;
  return import(failures === 0 ? path : path + "?attempt=" + (failures + 1)).catch((error) => {
    svcFailures.set(path, failures + 1);
    throw error;
  });
};
`

/**
 * Gives a lazily loaded file another address at each attempt. Browsers cache a module's failure by
 * its address: Firefox if it did not load, Chromium if it threw (WHATWG HTML, "module map").
 */
export function retryableImports(): Plugin {
  return {
    name: 'svc-retryable-imports',
    transform: (_code, id) =>
      id.endsWith('vite/preload-helper.js')
        ? 'export const __vitePreload = (load) => load()'
        : null,
    renderChunk(code) {
      if (code.search(DYNAMIC_IMPORT) === -1) return null
      return code.replaceAll(PRELOAD, '$1').replaceAll(DYNAMIC_IMPORT, 'svcImport($1$2$1)') + HELPER
    },
  }
}
