import session from 'express-session'

/** A session store like connect-sqlite3: a row of JSON, and a write for each `touch`. */
export class SqliteSessionStore extends session.Store {
  #read
  #write
  #touch
  #remove

  constructor(database) {
    super()
    database.exec(
      'CREATE TABLE sessions (sid TEXT PRIMARY KEY, data TEXT NOT NULL, expires INTEGER NOT NULL) STRICT',
    )
    this.#read = database.prepare('SELECT data FROM sessions WHERE sid = ? AND expires > ?')
    this.#write = database.prepare('REPLACE INTO sessions (sid, data, expires) VALUES (?, ?, ?)')
    this.#touch = database.prepare('UPDATE sessions SET expires = ? WHERE sid = ?')
    this.#remove = database.prepare('DELETE FROM sessions WHERE sid = ?')
  }

  get(sid, done) {
    const row = this.#read.get(sid, Date.now())
    done(null, row === undefined ? null : JSON.parse(row.data))
  }

  set(sid, data, done) {
    this.#write.run(sid, JSON.stringify(data), expiryOf(data))
    done(null)
  }

  touch(sid, data, done) {
    this.#touch.run(expiryOf(data), sid)
    done(null)
  }

  destroy(sid, done) {
    this.#remove.run(sid)
    done(null)
  }
}

function expiryOf({ cookie }) {
  return new Date(cookie.expires).getTime()
}
