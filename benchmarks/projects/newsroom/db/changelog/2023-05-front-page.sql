--liquibase formatted sql

--changeset anna:front-page-1
CREATE TABLE cms.front_page (id bigint, slug text, title text, published_at timestamptz);

--changeset anna:front-page-2
-- Existing grants of the table stay, other than with a new view.
CREATE RULE "_RETURN" AS ON SELECT TO cms.front_page
    DO INSTEAD
    SELECT a.id, a.slug, a.title, a.published_at
      FROM cms.articles a
     WHERE a.state = 'published';

--changeset rk:front-page-3
CREATE TABLE cms.front_page_log (article_id bigint, at timestamptz DEFAULT now());
CREATE RULE articles_logged AS ON INSERT TO cms.articles
    DO ALSO INSERT INTO cms.front_page_log (article_id) VALUES (NEW.id);
--rollback DROP RULE articles_logged ON cms.articles;
