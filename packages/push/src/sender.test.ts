import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newKeys } from './keys.ts';
import { topicOf } from './sender.ts';

test('PUSH-7 a topic stays the same for one message, and tells nobody without the key whose it is', () => {
  const { privateKey } = newKeys();
  const topic = topicOf(privateKey, 'phone', 'tag');
  assert.match(topic, /^[\w-]{32}$/);
  assert.equal(topicOf(privateKey, 'phone', 'tag'), topic);
  const others = [
    topicOf(newKeys().privateKey, 'phone', 'tag'),
    topicOf(privateKey, 'desk', 'tag'),
    topicOf(privateKey, 'phone', 'another tag'),
  ];
  assert.equal(new Set([topic, ...others]).size, 4);
});
