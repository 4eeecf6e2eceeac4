package com.tidewater.quayside.mapper;

import java.util.List;
import java.util.Map;
import org.apache.ibatis.annotations.Param;
import org.apache.ibatis.annotations.Select;

public interface SearchMapper {

    @Select("SELECT notice_id, title FROM notice WHERE tsv @@ plainto_tsquery('simple', #{text}) ORDER BY notice_id")
    List<Map<String, Object>> search(@Param("text") String text);

    @Select({
        "SELECT notice_id, title",
        "  FROM notice",
        " WHERE tsv @@ to_tsquery('simple', 'winter_storage')",
        " ORDER BY notice_id"
    })
    List<Map<String, Object>> winterStorage();

    @Select({
        "SELECT notice_id, title",
        "  FROM notice",
        " WHERE tsv @@ to_tsquery('simple', 'crane & spring')",
        "   AND tsv @@ (!! to_tsquery('simple', 'cancelled'))",
        " ORDER BY notice_id"
    })
    List<Map<String, Object>> craneDates();

    @Select("""
        <script>
        SELECT n.notice_id, n.title
          FROM notice n
         WHERE n.valid_from &lt;= current_date
        <if test="harbourId != null">
           AND n.harbour_id = #{harbourId}
        </if>
         ORDER BY n.valid_from DESC
        </script>
        """)
    List<Map<String, Object>> current(@Param("harbourId") Integer harbourId);
}
