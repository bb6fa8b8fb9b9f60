// The rooms of the code, and the import law: `test/architecture/imports.test.ts` holds the code to it, and the list of
// CONTRIBUTING.md is made from it.

/**
 * @typedef {object} Room
 * @property {string} holds
 * @property {readonly string[]} mayImport Other rooms, single files of them, or with `type:` a room of which only types
 *   are imported.
 */

/** @type {Readonly<Record<string, Room>>} */
export const rooms = {
  'src/rules': {
    holds: 'the specification as data and pure functions; runs in a browser',
    mayImport: [],
  },
  'src/contracts': {
    holds:
      'everything that a host sees or implements: its options, users, mailer, second factor, stores, the service, errors, and the default log',
    mayImport: ['src/rules'],
  },
  'src/process': {
    holds:
      'the concurrency kit: time-outs, `semaphore`, `keyed-queue`, `wake-signal`, `pending-requests`, `batch-per-tick`',
    mayImport: [],
  },
  'src/core': {
    holds:
      'behaviour; knows nothing of HTTP: `boundary` (what the host implements, checked), `login`, `sessions`, `passwords`, `accounts` and `activity` (loaded when bound), `second-factor`, `email`, `bell`, `attempts` (what is counted, and done one at a time), `operation` (readiness, clocks and keys of the nodes, pruning, logs)',
    mayImport: ['src/contracts', 'src/process', 'src/rules'],
  },
  'src/http': {
    holds:
      'plain request to plain reply: `gates` (`pipeline.ts` has their order), `wire` (`respond.ts` makes each reply), `routes` (one file of handlers for each feature), `pages`',
    mayImport: ['src/contracts', 'src/core', 'src/process', 'src/rules'],
  },
  'src/config': {
    holds: 'the schema of the options, the settings that follow from them, and the checks at start',
    mayImport: ['src/contracts', 'src/core', 'src/rules'],
  },
  'src/service': {
    holds:
      'the wiring: `panel-auth.ts` gives every part what it needs, and every part with a state is made by a function `createX`',
    mayImport: [
      'src/adapters/fetch.ts',
      'src/config',
      'src/contracts',
      'src/core',
      'src/http',
      'src/rules',
    ],
  },
  'src/index.ts': {
    holds: 'the exports of `@svc/auth`',
    mayImport: ['src/config', 'src/contracts', 'src/core', 'src/http', 'src/rules', 'src/service'],
  },
  'src/stores': {
    holds:
      'a folder for each kind of stores (`memory` is the reference), and `sql`, which three of them share',
    mayImport: ['src/contracts', 'src/process', 'src/rules'],
  },
  'src/users': {
    holds:
      'user providers for ordinary tables; `tables`: the statements on one table of the host, with one file for each kind of database handle; `hashes`: the forms of password hashes that other systems store',
    mayImport: [
      'src/contracts',
      'src/process',
      'src/stores/mysql/host-connections.ts',
      'src/stores/mysql/host-pool.ts',
      'src/stores/postgres/hidden-rows.ts',
      'src/stores/postgres/known-connections.ts',
      'src/stores/sql/pooled-client.ts',
      'src/stores/sqlite/access.ts',
      'src/stores/sqlite/driver.ts',
      'src/stores/sqlite/service-connection.ts',
      'src/stores/sqlite/sqlite-errors.ts',
      'src/stores/sqlite/statement.ts',
    ],
  },
  'src/totp': {
    holds: 'a second factor by codes of an app: the codes, and the stores of second factors',
    mayImport: ['src/contracts', 'src/rules/limits.ts', 'src/rules/printable.ts', 'src/users'],
  },
  'src/adapters': {
    holds:
      '`mount` and `guard` for a framework; `server`, a server for production: probes, pruning, a stop without lost requests; `telemetry`: metrics and traces by OpenTelemetry, and the text for Prometheus',
    mayImport: ['src/contracts', 'src/rules'],
  },
  'src/cli': {
    holds:
      'the command `svc`: one folder for each group of commands, over `command`, what all of them share, and `output`',
    mayImport: [
      'src/contracts',
      'src/rules',
      'src/core/accounts/password-policy.ts',
      'src/core/bell/notifications.ts',
      'src/core/boundary/verifiable-user.ts',
      'src/core/email/email-state.ts',
      'src/core/operation/key-check.ts',
      'src/core/loopback.ts',
      'src/core/passwords/password-hashes.ts',
      'src/core/passwords/passwords.ts',
      'src/core/person/erase-person.ts',
      'src/core/person/export-person.ts',
      'src/service/service-parts.ts',
      'src/totp/factor-schema.ts',
      'type:src/core',
    ],
  },
  'src/testing': {
    holds: 'published suites, fakes, a clock',
    mayImport: ['src/contracts', 'src/stores/memory/stores.ts'],
  },
  'web/client': {
    holds: 'typed calls, the CSRF token, and the states of the panel without a framework',
    mayImport: ['src/rules'],
  },
  'web/react': {
    holds: 'hooks and accessible components',
    mayImport: ['src/rules', 'web/client'],
  },
  'web/frameworks': {
    holds:
      'what applications of react-admin and of refine need; `peer.d.ts` declares the part of react-admin that is used',
    mayImport: ['web/client', 'web/react'],
  },
  'web/spa': {
    holds: 'the pages of the panel, and `@svc/auth/mount`, which renders them into any page',
    mayImport: [
      'web/client',
      'web/react',
      'src/rules/panel-settings.ts',
      'src/rules/wire.ts',
      'type:src/rules',
    ],
  },
  'web/vue': {
    holds: 'a plugin, composables and components over `@svc/auth/mount`',
    mayImport: ['web/client', 'web/spa/mount.ts'],
  },
  'web/playground': {
    holds: 'the parts in every state, for the site, over a scripted service',
    mayImport: ['src/rules', 'web/client', 'web/react'],
  },
  panel: { holds: 'the reference host; imports the package by its name', mayImport: [] },
}
