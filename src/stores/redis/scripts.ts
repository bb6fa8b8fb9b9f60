import { script } from './connection.ts'

/*
 * Times are compared as numbers and stored as received, because Lua prints large numbers
 * differently. The ttl of a key that holds several entries is only ever extended.
 */

const keep = `
  local function keep(key, ms)
    if redis.call('PTTL', key) < tonumber(ms) then redis.call('PEXPIRE', key, ms) end
  end`

/**
 * Files a record under its expiry, and drops entries whose records Redis has evicted. Called before
 * the record is written: Redis rolls no script back, and a value of another type at `ends` must not
 * leave a counted attempt behind each refusal. ZADD comes first, because a full Redis refuses no
 * command of a script that has written already.
 */
const file = `${keep}
  local function file(ends, member, at, ms, evictedBefore)
    redis.call('ZADD', ends, at, member)
    redis.call('ZREMRANGEBYSCORE', ends, '-inf', evictedBefore)
    keep(ends, ms)
  end`

/**
 * Deletes a record and its expiry. A record must end where the expiries cannot be changed, because
 * another program has written their key.
 */
const remove = `
  local function remove(ends, record, member)
    redis.pcall('ZREM', ends, member)
    return redis.call('DEL', record)
  end`

/**
 * Returns the refusal of a replica, which may still hold an ended record, to make a change that
 * changes nothing. A master that writes nothing, as on a full disk, may be read.
 */
const replica = `
  local function replica(key)
    local reply = redis.pcall('HDEL', key, '')
    local error = type(reply) == 'table' and reply.err or ''
    return string.find(error, 'READONLY', 1, true) and reply
  end`

const policy = `
  local memory = redis.call('INFO', 'memory')
  local policy = string.match(memory, 'maxmemory_policy:([%w-]+)') or 'unknown'`

/**
 * Returns the policy by which this node removes records, in place of the reply, where its memory
 * has a limit. Asked each time: the nodes of a Cluster may differ, and a setting may change.
 */
const returnEviction = `${policy}
  local limit = string.match(memory, 'maxmemory:(%d+)') or '0'
  if policy ~= 'noeviction' and limit ~= '0' then return policy end`

/**
 * Records of one shard; for sessions and pending logins. KEYS: the record, the expiries of its
 * shard.
 */
export const recordScripts = {
  /** ARGV: key, expiry, ttl, evictedBefore, then fields and values. */
  create: script(`${file}
    if redis.call('EXISTS', KEYS[1]) == 1 then return 0 end
    file(KEYS[2], ARGV[1], ARGV[2], ARGV[3], ARGV[4])
    redis.call('HSET', KEYS[1], unpack(ARGV, 5))
    redis.call('PEXPIRE', KEYS[1], ARGV[3])
    return 1`),
  /** A script, so that no client sends it to a replica. ARGV: fields. */
  read: script(`${replica}
    return replica(KEYS[1]) or redis.call('HMGET', KEYS[1], unpack(ARGV))`),
  /** ARGV: key. */
  destroy: script(`${remove}
    return remove(KEYS[2], KEYS[1], ARGV[1])`),
  /** ARGV: key, now. */
  consume: script(`${remove}
    local ends = redis.call('HGET', KEYS[1], 'expiresAt')
    if not ends or tonumber(ends) <= tonumber(ARGV[2]) then return 0 end
    return remove(KEYS[2], KEYS[1], ARGV[1])`),
} as const

/**
 * Reads many records. KEYS: the records. ARGV: fields. A script for the reason of `read`. A key of
 * another type is not a record. The reply for any other error is its text: it must not fail the
 * others.
 */
export const readManyScript = script(`${replica}
  local refusal = replica(KEYS[1])
  if refusal then return refusal end
  local records = {}
  for i = 1, #KEYS do
    local record = redis.pcall('HMGET', KEYS[i], unpack(ARGV))
    local isForeign = record.err and string.find(record.err, 'WRONGTYPE', 1, true)
    records[i] = isForeign and {} or record.err or record
  end
  return records`)

/** Reads a field or fields of one of many records. A key of another type is not a record. */
const fields = `
  local function fields(key, ...)
    local record = redis.pcall('HMGET', key, ...)
    return record.err and {} or record
  end`

/** Many records of one shard. KEYS: its expiries, then the records. */
export const shardScripts = {
  /** ARGV: now, limit. Returns the keys of expired records. */
  expired: script(`
    return redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', ARGV[1], 'LIMIT', 0, ARGV[2])`),
  /** ARGV: now, then the keys. Returns the owner of each deleted record. */
  deleteExpired: script(`${fields}
    local owners = {}
    for i = 2, #KEYS do
      local record = fields(KEYS[i], 'expiresAt', 'owner')
      if not record[1] or tonumber(record[1]) <= tonumber(ARGV[1]) then
        redis.call('ZREM', KEYS[1], ARGV[i])
        if record[1] and redis.call('DEL', KEYS[i]) == 1 then
          table.insert(owners, record[2] or '')
        end
      end
    end
    return owners`),
  /** ARGV: the owner, then the keys. Returns the number of deleted records. */
  destroyOwned: script(`${fields}${remove}
    local ended = 0
    for i = 2, #KEYS do
      if fields(KEYS[i], 'owner')[1] == ARGV[1] then
        ended = ended + remove(KEYS[1], KEYS[i], ARGV[i])
      end
    end
    return ended`),
  /** ARGV: the owner, from, to. */
  restampOwned: script(`${fields}
    for i = 2, #KEYS do
      local record = fields(KEYS[i], 'owner', 'stamp')
      if record[1] == ARGV[1] and record[2] == ARGV[2] then
        redis.call('HSET', KEYS[i], 'stamp', ARGV[3])
      end
    end
    return 1`),
  /** ARGV: now. Returns the number of records, and of those that have expired. */
  size: script(`
    return { redis.call('ZCARD', KEYS[1]), redis.call('ZCOUNT', KEYS[1], '-inf', ARGV[1]) }`),
  /** ARGV: ttl. KEYS: a key of the shard that is left empty, then the expiries of every kind. */
  check: script(`${returnEviction}
    redis.call('SET', KEYS[1], '', 'PX', ARGV[1])
    for i = 2, #KEYS do redis.call('ZCARD', KEYS[i]) end
    return {}`),
} as const

/**
 * Runs every command of the scripts once: a user of Redis may lack the right to a single one. KEYS:
 * a key that is left empty.
 */
export const rightsScript = script(`
  local key = KEYS[1]
  for _, command in ipairs({
    {'DEL', key}, {'SETNX', key, ''}, {'SET', key, ''}, {'GET', key}, {'DEL', key},
    {'HSET', key, 'n', 1}, {'HINCRBY', key, 'n', 1}, {'HGET', key, 'n'}, {'HMGET', key, 'n'},
    {'HDEL', key, ''},
    {'EXISTS', key}, {'PTTL', key}, {'PEXPIRE', key, 1000}, {'DEL', key},
    {'ZADD', key, 'GT', 1, 'm'}, {'ZRANGE', key, 0, -1}, {'ZCARD', key},
    {'ZCOUNT', key, '-inf', 0}, {'ZRANGEBYSCORE', key, '-inf', 0},
    {'ZREMRANGEBYSCORE', key, '-inf', 0}, {'ZREM', key, 'm'}, {'TIME'}
  }) do redis.call(unpack(command)) end
  return 1`)

export const sessionScripts = {
  /**
   * ARGV: key, lastSeenAt, expiresAt, ttl, evictedBefore, end of the listing, details (of both,
   * empty: unchanged).
   *
   * Returns the owner after `yes`, or after `unlisted` when its listing must be extended first.
   */
  touch: script(`${file}
    local record = redis.call('HMGET', KEYS[1], 'expiresAt', 'listedUntil', 'owner')
    if not record[1] or tonumber(record[1]) <= tonumber(ARGV[2]) then return {'no'} end
    local listed = ARGV[6] ~= '' and ARGV[6] or record[2]
    if tonumber(listed) < tonumber(ARGV[3]) then return {'unlisted', record[3]} end
    file(KEYS[2], ARGV[1], ARGV[3], ARGV[4], ARGV[5])
    redis.call('HSET', KEYS[1], 'lastSeenAt', ARGV[2], 'expiresAt', ARGV[3], 'listedUntil', listed)
    if ARGV[7] ~= '' then redis.call('HSET', KEYS[1], 'details', ARGV[7]) end
    redis.call('PEXPIRE', KEYS[1], ARGV[4])
    return {'yes', record[3]}`),
  /** ARGV: from, to. */
  update: script(`
    if redis.call('HGET', KEYS[1], 'pendingSecret') ~= ARGV[1] then return 0 end
    redis.call('HSET', KEYS[1], 'pendingSecret', ARGV[2])
    return 1`),
} as const

/** The current and former keys of an owner. KEYS: the list. */
export const ownerScripts = {
  /** ARGV: key, end of the listing, ttl, evictedBefore. */
  list: script(`${keep}
    redis.call('ZADD', KEYS[1], 'GT', ARGV[2], ARGV[1])
    redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', ARGV[4])
    keep(KEYS[1], ARGV[3])
    return 1`),
  listed: script(`return redis.call('ZRANGE', KEYS[1], 0, -1)`),
} as const

export const attemptScripts = {
  /** ARGV: key, now, latest end of the window, ttl, evictedBefore. */
  reserve: script(`${returnEviction}${file}
    local window = redis.call('HMGET', KEYS[1], 'expiresAt')
    local ends = tonumber(window[1] or '0')
    local number = 1
    if ends > tonumber(ARGV[2]) then
      number = redis.call('HINCRBY', KEYS[1], 'number', 1)
      if ends <= tonumber(ARGV[3]) then return {number, window[1]} end
    end
    file(KEYS[2], ARGV[1], ARGV[3], ARGV[4], ARGV[5])
    redis.call('HSET', KEYS[1], 'number', number, 'expiresAt', ARGV[3])
    redis.call('PEXPIRE', KEYS[1], ARGV[4])
    return {number, ARGV[3]}`),
  /** ARGV: now. */
  release: script(`
    local window = redis.call('HMGET', KEYS[1], 'expiresAt', 'number')
    if window[1] and tonumber(window[1]) > tonumber(ARGV[1]) and tonumber(window[2]) > 0 then
      redis.call('HINCRBY', KEYS[1], 'number', -1)
    end
    return 1`),
} as const

/** Small values that all nodes share. KEYS: the entry. */
export const metadataScripts = {
  read: script(`return redis.call('GET', KEYS[1])`),
  /** ARGV: the value. */
  create: script(`return redis.call('SETNX', KEYS[1], ARGV[1])`),
  /** ARGV: from, to. */
  replace: script(`
    if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
    redis.call('SET', KEYS[1], ARGV[2])
    return 1`),
  /**
   * Takes a key, so that in a Cluster all nodes of the service ask the same node. Returns seconds
   * and microseconds.
   */
  now: script(`return redis.call('TIME')`),
} as const

/**
 * Takes a key, so that in a Cluster one node forwards all messages and keeps their order. ARGV:
 * channel, message.
 */
export const publishScript = script(`return redis.call('PUBLISH', ARGV[1], ARGV[2])`)

/** Returns what Redis does when its memory is full. */
export const evictionScript = script(`${policy} return policy`)
